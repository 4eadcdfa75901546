package flinkser.bench.corpus;

import flinkser.bench.corpus.Batch.Event;
import flinkser.bench.corpus.Batch.KeyValue;
import flinkser.bench.corpus.Batch.Link;
import flinkser.bench.corpus.Batch.Resource;
import flinkser.bench.corpus.Batch.ResourceSpans;
import flinkser.bench.corpus.Batch.Scope;
import flinkser.bench.corpus.Batch.ScopeSpans;
import flinkser.bench.corpus.Batch.Span;
import flinkser.bench.corpus.Batch.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Draws the batches of the workload traces as the package traces of the Go lanes does. */
final class Batches {
    private static final int SCOPES = 2;
    private static final int SPANS = 8;
    private static final long START = 1_700_000_000_000_000_000L;

    private Batches() {}

    static Batch batch(int i) {
        Random random = new Random(Corpus.SEED + i);
        Resource resource = new Resource(
                List.of(
                        new KeyValue("service.name", "checkout"),
                        new KeyValue("service.version", "1.2.3"),
                        new KeyValue("host.name", "host-" + i + ".eu-west-1.internal"),
                        new KeyValue("telemetry.sdk.language", "go"),
                        new KeyValue("process.pid", 1000L + i),
                        new KeyValue("process.command_args", List.<Object>of("/bin/checkout", "--listen=:8080"))),
                0);
        List<ScopeSpans> scopes = new ArrayList<>();
        for (int scope = 0; scope < SCOPES; scope++) {
            Bytes id = Corpus.bytes(random, 16);
            List<Span> spans = new ArrayList<>();
            for (int n = 0; n < SPANS; n++) {
                spans.add(span(random, id, n));
            }
            Scope named =
                    new Scope("go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp", "0.54.0", List.of(), 0);
            scopes.add(new ScopeSpans(named, List.copyOf(spans), ""));
        }
        return new Batch(List.of(
                new ResourceSpans(resource, List.copyOf(scopes), "https://opentelemetry.io/schemas/1.26.0")));
    }

    private static Span span(Random random, Bytes traceId, int n) {
        long begin = START + n * 12345L;
        Bytes spanId = Corpus.bytes(random, 8);
        long end = begin + random.nextInt(5_000_000);
        List<KeyValue> attributes = List.of(
                new KeyValue("http.method", "GET"),
                new KeyValue("http.status_code", 200L),
                new KeyValue("http.url", "https://shop.example.com/api/v1/orders/" + random.nextInt(100_000)),
                new KeyValue("net.peer.port", 443L),
                new KeyValue("http.retry", n % 2 == 0),
                new KeyValue("sampling.p", .125),
                new KeyValue("enduser.id", Corpus.letters(random, 12)));
        Bytes parent = n > 0 ? Corpus.bytes(random, 8) : Bytes.EMPTY;
        List<Event> events = n % 4 == 1 ? List.of(failure(random, end)) : List.of();
        Status status = n % 4 == 1 ? new Status("upstream has closed the connection", 2) : new Status("", 1);
        List<Link> links = n % 8 == 2 ? List.of(link(random)) : List.of();
        return new Span(
                traceId,
                spanId,
                "",
                parent,
                257,
                "HTTP GET /api/v1/orders/{id}",
                1 + n % 3,
                begin,
                end,
                attributes,
                0,
                events,
                0,
                links,
                0,
                status);
    }

    private static Event failure(Random random, long end) {
        List<KeyValue> attributes = List.of(
                new KeyValue("exception.type", "io.EOF"),
                new KeyValue("exception.message", "unexpected end " + Corpus.letters(random, 10)));
        return new Event(end, "exception", attributes, 0);
    }

    private static Link link(Random random) {
        Bytes traceId = Corpus.bytes(random, 16);
        Bytes spanId = Corpus.bytes(random, 8);
        return new Link(traceId, spanId, "vendor=" + Corpus.letters(random, 4), List.of(), 0, 0);
    }
}
