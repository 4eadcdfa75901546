package main

import "strings"

// opens are what Flink needs of a JDK 17, as its own scripts have it.
func opens() []string {
	flags := []string{"--add-exports=java.base/sun.net.util=ALL-UNNAMED"}
	for p := range strings.FieldsSeq("java.lang java.net java.io java.nio sun.nio.ch java.lang.reflect java.text java.time java.util java.util.concurrent java.util.concurrent.atomic java.util.concurrent.locks") {
		flags = append(flags, "--add-opens=java.base/"+p+"=ALL-UNNAMED")
	}
	return flags
}

// cluster starts a JobManager and a TaskManager as processes of their own.
func (l *lab) cluster(jars string) {
	l.t.Helper()
	conf := l.conf("../../cluster/flink-conf.yaml")
	l.java("jobmanager", jars, 8081, append(opens(), "-Xmx512m"),
		"org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint", "--configDir", conf, "--executionMode", "cluster")
	memory := []string{
		"taskmanager.cpu.cores=2", "taskmanager.memory.task.heap.size=384m", "taskmanager.memory.managed.size=128m",
		"taskmanager.memory.network.min=64m", "taskmanager.memory.network.max=64m", "taskmanager.memory.framework.heap.size=128m",
		"taskmanager.memory.framework.off-heap.size=128m", "taskmanager.memory.task.off-heap.size=0b", "taskmanager.memory.jvm-metaspace.size=512m",
		"taskmanager.memory.jvm-overhead.min=192m", "taskmanager.memory.jvm-overhead.max=192m",
	}
	args := []string{"org.apache.flink.runtime.taskexecutor.TaskManagerRunner", "--configDir", conf}
	for _, m := range memory {
		args = append(args, "-D", m)
	}
	l.java("taskmanager", jars, 8081, append(opens(), "-Xmx768m", "-XX:MaxDirectMemorySize=512m", "-XX:MaxMetaspaceSize=512m"), args...)
	l.waitFor("a TaskManager", func() bool { return strings.Contains(l.log("jobmanager"), "Registering TaskManager") })
}
