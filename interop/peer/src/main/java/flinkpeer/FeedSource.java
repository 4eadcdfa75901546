package flinkpeer;

/** Emits what the driver offers, then idles. An element is emitted as a whole before any later barrier. */
public class FeedSource implements PeerSource<String> {
    private static final long serialVersionUID = 1L;
    private final String run;
    private volatile boolean running = true;

    public FeedSource(String run) {
        this.run = run;
    }

    @Override
    public void run(SourceContext<String> ctx) throws Exception {
        Hub.Feed feed = Hub.feed(run);
        while (running) {
            String element = feed.poll();
            if (element == null) {
                continue;
            }
            synchronized (ctx.getCheckpointLock()) {
                ctx.collect(element);
                feed.emitted();
            }
        }
    }

    @Override
    public void cancel() {
        running = false;
    }
}
