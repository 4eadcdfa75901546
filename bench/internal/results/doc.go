// Package results turns what the processes of a benchmark run have measured into tables, and reads
// a run back.
//
// A run is a folder. The driver of the benchmark puts these files into it:
//
//   - one JSON file for each process, a Result, named <lane>-<workload>-<operation>-<block>.json,
//     or <lane>-<workload>-<operation>-deterministic-<block>.json for the supplement with sorted maps;
//   - completed-results.txt: the names of those files in the order in which they were made;
//   - manifest.properties: machine, versions, seeds, revision, as key=value;
//   - lanes.csv, sizes.csv, unsupported.csv: what WriteLanes, WriteSizes and WriteUnsupported write;
//   - whatever else it wants to keep, such as logs and hashes of the programs.
//
// Write adds the rest, and can be called again:
//
//   - measurements.csv: a row for each JSON file, in that order;
//   - parity.csv: Native to Baseline, a row for each workload and operation;
//   - peers.csv: Native to every other lane, in every workload and operation;
//   - goals.csv: a row for each workload and operation: the best safe peer, the copy that no
//     serializer can beat, the best of all, and the verdict;
//   - targets.csv: the ratios that the project has set itself as goals;
//   - summary.csv: means over the blocks; memory.csv: those of allocations and of the collector's part;
//   - iterations.csv.gz: every single timing;
//   - SHA256SUMS: the hash of every file but itself and the report.
//
// The statistic is that of Paired: nothing is averaged over workloads or operations, and no
// claim is made for several cells at once.
package results
