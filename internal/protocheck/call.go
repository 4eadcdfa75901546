package protocheck

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"
)

// Call runs the program of a plugin on a request, as protoc does. What the plugin refuses is an
// error.
func Call(ctx context.Context, program string, req *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorResponse, error) {
	in, err := proto.MarshalOptions{Deterministic: true}.Marshal(req)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program)
	if cmd.Err != nil {
		return nil, cmd.Err
	}
	var stderr strings.Builder
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &stderr
	b, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", program, err, &stderr)
	}
	resp := &pluginpb.CodeGeneratorResponse{}
	if err := proto.Unmarshal(b, resp); err != nil {
		return nil, fmt.Errorf("%s: its answer: %w", program, err)
	}
	if resp.Error != nil {
		return nil, fmt.Errorf("%s: %s", program, resp.GetError())
	}
	return resp, nil
}
