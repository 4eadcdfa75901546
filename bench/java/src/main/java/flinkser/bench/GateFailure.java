package flinkser.bench;

/** A lane does something wrong, so that its times mean nothing. */
public final class GateFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public GateFailure(String what) {
        super(what);
    }
}
