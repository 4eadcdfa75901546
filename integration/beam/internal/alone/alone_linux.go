package alone

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"unsafe"
)

const env = "FLINKSER_BEAM_ALONE"

func run(m *testing.M, setup func()) int {
	if os.Getenv(env) == "yes" {
		if err := loopbackUp(); err != nil {
			fmt.Fprintln(os.Stderr, "the network of this namespace:", err)
			return 1
		}
	} else if code, err := again(); err == nil {
		return code
	} else {
		fmt.Fprintf(os.Stderr, "no network namespace, so Prism and Flink listen on all interfaces of this machine: %v\n", err)
	}
	setup()
	return m.Run()
}

// again runs this program in a namespace, as root or as a user who may make one. The error says why there is none.
func again() (code int, err error) {
	err = errors.New("not tried")
	for _, flags := range []uintptr{syscall.CLONE_NEWNET, syscall.CLONE_NEWNET | syscall.CLONE_NEWUSER} {
		cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
		cmd.Env = append(os.Environ(), env+"=yes")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags, Pdeathsig: syscall.SIGKILL}
		if flags&syscall.CLONE_NEWUSER != 0 {
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
		}
		if err = cmd.Start(); err != nil {
			continue
		}
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT)
		go func() {
			for s := range stop {
				_ = cmd.Process.Signal(s) // it may have ended
			}
		}()
		_ = cmd.Wait() // the exit code says it all
		return max(cmd.ProcessState.ExitCode(), 0) | boolean(!cmd.ProcessState.Success()), nil
	}
	return 0, err
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// loopbackUp switches the loopback interface on, which is off in a new namespace.
func loopbackUp() error {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(socket)
	request := struct {
		name  [16]byte
		flags uint16
		_     [22]byte
	}{flags: syscall.IFF_UP | syscall.IFF_RUNNING}
	copy(request.name[:], "lo")
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(socket), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); errno != 0 {
		return errno
	}
	return nil
}
