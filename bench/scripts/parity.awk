# Computes parity.csv from measurements.csv, for readers who want to check it with something other
# than the program that wrote it:
#
#	awk -f parity.awk measurements.csv | diff - parity.csv
#
# For each workload and operation: the logarithms of the ratios ours / protobuf-go of the five
# blocks, their mean, and Student's t interval with four degrees of freedom.
BEGIN {
	FS = ","
	t = 2.7764451051977987
	limit = 1.10
	nw = split("scalar text nested collections large social traces wide", workloads, " ")
	no = split("serialize deserialize objectCopy streamCopy deserializeReuse objectCopyReuse serializeSameInstance buildAndSerialize decodeAndRead", operations, " ")
	for (i = 1; i <= nw; i++) knownw[workloads[i]] = 1
	for (i = 1; i <= no; i++) knowno[operations[i]] = 1
	print "workload,operation,native_over_baseline,lower95,upper95,verdict"
}
NR == 1 {
	if ($0 != "lane,workload,operation,deterministic,block,ns_per_op,derived_ops_per_second,allocated_bytes_per_op") {
		print "parity.awk: unexpected header: " $0 > "/dev/stderr"
		failed = 1
		exit 1
	}
	next
}
$4 == "true" { next }
{
	if (!($2 in knownw)) { workloads[++nw] = $2; knownw[$2] = 1 }
	if (!($3 in knowno)) { operations[++no] = $3; knowno[$3] = 1 }
	seenw[$2] = seeno[$3] = blocks[$5] = has[$1, $2, $3] = 1
	ns[$1, $2, $3, $5] = $6
}
END {
	if (failed) exit 1
	for (b in blocks) n++
	for (i = 1; i <= nw; i++) if (workloads[i] in seenw)
		for (j = 1; j <= no; j++) if (operations[j] in seeno)
			row(workloads[i], operations[j])
}

function row(w, op,    native, b, logs, m, s, margin, verdict) {
	native = "ours"
	if (!((native, w, op) in has) && (("ours-reuse", w, op) in has)) native = "ours-reuse"
	if (!((native, w, op) in has) || !(("protobuf-go", w, op) in has)) {
		print w "," op ",,,,unsupported"
		return
	}
	for (b in blocks) {
		logs[b] = log(ns[native, w, op, b]) - log(ns["protobuf-go", w, op, b])
		m += logs[b] / n
	}
	if (n < 5) {
		printf "%s,%s,%.8f,,,no interval\n", w, op, exp(m)
		return
	}
	for (b in blocks) s += (logs[b] - m) ^ 2
	margin = t * sqrt(s / 4 / 5)
	verdict = "inconclusive"
	if (exp(m + margin) <= limit) verdict = "established"
	else if (exp(m - margin) > limit) verdict = "missed"
	printf "%s,%s,%.8f,%.8f,%.8f,%s\n", w, op, exp(m), exp(m - margin), exp(m + margin), verdict
}
