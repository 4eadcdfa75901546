# Makes the table of two runtimes out of a run:
#
#	awk -f java-table.awk RUN/lanes.csv RUN/measurements.csv
#
# ours beside the lanes of Java that hold protobuf messages, each as the mean of its blocks in nanoseconds
# for each record, and the bytes allocated. There are no ratios, and no copies: Flink's copy of a message that cannot
# change is the message itself, where Go makes a deep copy. -v lanes="ours java-pojo" takes other lanes.
BEGIN {
	FS = ","
	if (lanes == "") lanes = "ours java-native-peer java-protobuf java-protobuf-chill"
	nl = split(lanes, lane, " ")
	nw = split("scalar text nested collections large social traces wide", workloads, " ")
	no = split("serialize deserialize deserializeReuse serializeSameInstance buildAndSerialize decodeAndRead", operations, " ")
}
FNR == 1 {
	if ($0 ~ /^lane,role,runtime,/) table = "lanes"
	else if ($0 == "lane,workload,operation,deterministic,block,ns_per_op,derived_ops_per_second,allocated_bytes_per_op") table = "times"
	else stop("unexpected header in " FILENAME ": " $0)
	next
}
table == "lanes" { runtime[$1] = $3 }
table == "times" && $4 == "false" {
	n[$1, $2, $3]++
	ns[$1, $2, $3] += $6
	bytes[$1, $2, $3] += $8
}
function stop(why) {
	print "java-table.awk: " why > "/dev/stderr"
	failed = 1
	exit 1
}
# Three digits that count.
function round(v) { return v < 9.995 ? sprintf("%.2f", v) : v < 99.95 ? sprintf("%.1f", v) : sprintf("%.0f", v) }
function cell(l, w, op, sum) { return n[l, w, op] ? round(sum[l, w, op] / n[l, w, op]) : "–" }
function measured(w, op,   i) {
	for (i = 1; i <= nl; i++) if (n[lane[i], w, op]) return 1
	return 0
}
END {
	if (failed) exit 1
	for (i = 1; i <= nl; i++) if (!(lane[i] in runtime)) stop("the run has no lane " lane[i])
	head = "| workload | operation"
	line = "|---|---"
	for (i = 1; i <= nl; i++) {
		head = head " | " lane[i] " (" runtime[lane[i]] "), ns | bytes"
		line = line "|---:|---:"
	}
	print head " |"
	print line "|"
	for (i = 1; i <= nw; i++) for (j = 1; j <= no; j++) {
		if (!measured(workloads[i], operations[j])) continue
		row = "| " workloads[i] " | " operations[j]
		for (k = 1; k <= nl; k++) {
			row = row " | " cell(lane[k], workloads[i], operations[j], ns) " | " cell(lane[k], workloads[i], operations[j], bytes)
		}
		print row " |"
	}
}
