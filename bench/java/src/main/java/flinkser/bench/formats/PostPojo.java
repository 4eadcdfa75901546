package flinkser.bench.formats;

import java.util.List;

/** The post as Flink's serializer of POJOs and Jackson want it. */
public class PostPojo {
    public String postId;
    public String authorId;
    public String content;
    public long timestamp;
    public List<Media> mediaAttachments;
    public List<String> likes;
    public List<Comment> comments;

    public PostPojo() {}

    /** Something attached to a post. */
    public static class Media {
        public String type;
        public String url;

        public Media() {}

        Media(String type, String url) {
            this.type = type;
            this.url = url;
        }
    }

    /** A comment on a post. */
    public static class Comment {
        public String commentId;
        public String commenterId;
        public String commentText;
        public long timestamp;

        public Comment() {}

        Comment(String commentId, String commenterId, String commentText, long timestamp) {
            this.commentId = commentId;
            this.commenterId = commenterId;
            this.commentText = commentText;
            this.timestamp = timestamp;
        }
    }
}
