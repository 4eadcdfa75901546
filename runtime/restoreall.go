package flinkser

import (
	"reflect"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/runtime/snapshot"
	"github.com/flinkser/flinkser/runtime/wire"
)

// RestoreAll is Restore for state that holds records of several schemas, such as a store that keeps old records as they
// were: it takes the snapshots of all of them, in the order in which they were first used, and returns the verdict also
// where the schema of M is accepted. Limits are the largest saved ones. Without a snapshot it is New.
//
// With WithRollback, the snapshots in front of that of M are checked as those of earlier schemas, and the others as those of
// newer ones.
func RestoreAll[M proto.Message](saved []*snapshot.Snapshot, opts ...Option) (*Serializer[M], snapshot.Verdict, error) {
	set, err := apply(opts)
	if err != nil {
		return nil, snapshot.Verdict{}, err
	}
	takeSaved[M](&set, saved)
	s, err := newSerializer[M](set)
	if err != nil {
		return nil, snapshot.Verdict{}, err
	}
	now, err := s.Snapshot()
	if err != nil {
		return nil, snapshot.Verdict{}, err
	}
	verdict := judge(saved, now, set.restore)
	if err := verdict.Err(); err != nil {
		return nil, verdict, err
	}
	return s, verdict, nil
}

// takeSaved fills in the settings of snapshots where the options name none.
func takeSaved[M proto.Message](set *settings, saved []*snapshot.Snapshot) {
	if len(saved) == 0 {
		return
	}
	bytes, levels := 0, 0
	for _, s := range saved {
		bytes, levels = max(bytes, s.MaxMessageSize()), max(levels, s.RecursionLimit())
		set.deterministic = set.deterministic || s.Deterministic()
	}
	if set.limits.MaxMessageBytes == 0 {
		set.limits.MaxMessageBytes = bytes
	}
	if set.limits.RecursionLimit == 0 {
		set.savedRecursionLimit = levels
		set.limits.RecursionLimit = min(levels, MaxRecursionLimit)
		if m := *new(M); proto.Message(m) != nil && !isUntyped(m) && set.limits.RecursionLimit > shallow {
			set.limits.RecursionLimit = min(set.limits.RecursionLimit, wire.MaxDepth(m.ProtoReflect().Descriptor()))
		}
	}
}

// judge compares a schema with all that state was written with.
func judge(saved []*snapshot.Snapshot, now *snapshot.Snapshot, o snapshot.Options) snapshot.Verdict {
	if o.Direction != snapshot.Rollback {
		return snapshot.CheckAll(saved, now, o)
	}
	own := slices.IndexFunc(saved, func(s *snapshot.Snapshot) bool { return s.Digest() == now.Digest() })
	earlier := o
	earlier.Direction = snapshot.Restore
	verdict := snapshot.CheckAll(saved[:max(own, 0)], now, earlier)
	verdict.Direction = snapshot.Rollback
	for i := max(own, 0); i < len(saved); i++ {
		one := snapshot.Check(now, saved[i], o)
		verdict.Compatible = verdict.Compatible && one.Compatible
		for _, f := range one.Findings {
			verdict.Findings = addFinding(verdict.Findings, f, i)
		}
	}
	slices.SortStableFunc(verdict.Findings, func(a, b snapshot.Finding) int { return int(b.Level) - int(a.Level) })
	return verdict
}

// addFinding adds what the snapshot at a place shows, which others may have shown before.
func addFinding(list []snapshot.Finding, f snapshot.Finding, place int) []snapshot.Finding {
	for i := range list {
		f.Snapshots = list[i].Snapshots
		if reflect.DeepEqual(f, list[i]) {
			list[i].Snapshots = append(slices.Clip(list[i].Snapshots), place)
			return list
		}
	}
	f.Snapshots = []int{place}
	return append(list, f)
}

// Aliases reports whether messages that the serializer has decoded hold parts of the input, see WithAliasing. Carriers that
// lend it memory which is not theirs for long have to give it a copy then.
func (s *Serializer[M]) Aliases() bool { return s.alias }
