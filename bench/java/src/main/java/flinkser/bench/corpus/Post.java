package flinkser.bench.corpus;

import java.util.List;

/** One post of the workload social, as no library holds it. */
public record Post(
        String postId,
        String authorId,
        String content,
        long timestamp,
        List<Media> mediaAttachments,
        List<String> likes,
        List<Comment> comments) {

    /** Something attached to a post. */
    public record Media(String type, String url) {}

    /** A comment on a post. */
    public record Comment(String commentId, String commenterId, String commentText, long timestamp) {}
}
