package flinkser.bench.formats;

import flinkser.bench.Bench;
import flinkser.bench.Format;
import flinkser.bench.avro.AComment;
import flinkser.bench.avro.AMedia;
import flinkser.bench.avro.APost;
import flinkser.bench.corpus.Post;
import flinkser.bench.thrift.TComment;
import flinkser.bench.thrift.TMedia;
import flinkser.bench.thrift.TPost;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.api.java.tuple.Tuple7;

/** The post of the workload social in all formats. */
public final class Posts {
    private Posts() {}

    static <A, B> List<B> each(List<A> from, Function<A, B> function) {
        List<B> to = new ArrayList<>(from.size());
        for (A a : from) {
            to.add(function.apply(a));
        }
        return to;
    }

    /** POJOs, which Kryo and Jackson take too. */
    public static final class Pojo extends Format<Post, PostPojo> {
        public Pojo(Supplier<TypeSerializer<PostPojo>> serializers) {
            super(serializers);
        }

        @Override
        public PostPojo build(Post value) {
            PostPojo p = new PostPojo();
            p.postId = value.postId();
            p.authorId = value.authorId();
            p.content = value.content();
            p.timestamp = value.timestamp();
            p.mediaAttachments = each(value.mediaAttachments(), m -> new PostPojo.Media(m.type(), m.url()));
            p.likes = new ArrayList<>(value.likes());
            p.comments = each(
                    value.comments(),
                    c -> new PostPojo.Comment(c.commentId(), c.commenterId(), c.commentText(), c.timestamp()));
            return p;
        }

        @Override
        public Post value(PostPojo p) {
            return new Post(
                    p.postId,
                    p.authorId,
                    p.content,
                    p.timestamp,
                    each(p.mediaAttachments, m -> new Post.Media(m.type, m.url)),
                    new ArrayList<>(p.likes),
                    each(p.comments, c -> new Post.Comment(c.commentId, c.commenterId, c.commentText, c.timestamp)));
        }

        @Override
        public long read(PostPojo p) {
            long sum = Sum.of(p.postId) + Sum.of(p.authorId) + Sum.of(p.content) + p.timestamp + Sum.ofTexts(p.likes);
            for (PostPojo.Media m : p.mediaAttachments) {
                sum += Sum.of(m.type) + Sum.of(m.url);
            }
            for (PostPojo.Comment c : p.comments) {
                sum += Sum.of(c.commentId) + Sum.of(c.commenterId) + Sum.of(c.commentText) + c.timestamp;
            }
            return sum;
        }

        @Override
        public boolean mutate(PostPojo p) {
            p.comments.get(0).commentText += "!";
            p.mediaAttachments.get(0).url += "!";
            p.likes.set(0, "!");
            return true;
        }
    }

    /** Flink's tuples. */
    public static final class Tuple
            extends Format<
                    Post,
                    Tuple7<
                            String,
                            String,
                            String,
                            Long,
                            List<Tuple2<String, String>>,
                            List<String>,
                            List<Tuple4<String, String, String, Long>>>> {
        private static final TypeInformation<?> TYPE = Types.TUPLE(
                Types.STRING,
                Types.STRING,
                Types.STRING,
                Types.LONG,
                Types.LIST(Types.TUPLE(Types.STRING, Types.STRING)),
                Types.LIST(Types.STRING),
                Types.LIST(Types.TUPLE(Types.STRING, Types.STRING, Types.STRING, Types.LONG)));

        @SuppressWarnings("unchecked")
        public Tuple() {
            super(Flink.typed((TypeInformation<
                            Tuple7<
                                    String,
                                    String,
                                    String,
                                    Long,
                                    List<Tuple2<String, String>>,
                                    List<String>,
                                    List<Tuple4<String, String, String, Long>>>>)
                    TYPE));
        }

        @Override
        public Tuple7<
                        String,
                        String,
                        String,
                        Long,
                        List<Tuple2<String, String>>,
                        List<String>,
                        List<Tuple4<String, String, String, Long>>>
                build(Post value) {
            return Tuple7.of(
                    value.postId(),
                    value.authorId(),
                    value.content(),
                    value.timestamp(),
                    each(value.mediaAttachments(), m -> Tuple2.of(m.type(), m.url())),
                    new ArrayList<>(value.likes()),
                    each(
                            value.comments(),
                            c -> Tuple4.of(c.commentId(), c.commenterId(), c.commentText(), c.timestamp())));
        }

        @Override
        public Post value(
                Tuple7<
                                String,
                                String,
                                String,
                                Long,
                                List<Tuple2<String, String>>,
                                List<String>,
                                List<Tuple4<String, String, String, Long>>>
                        t) {
            return new Post(
                    t.f0,
                    t.f1,
                    t.f2,
                    t.f3,
                    each(t.f4, m -> new Post.Media(m.f0, m.f1)),
                    new ArrayList<>(t.f5),
                    each(t.f6, c -> new Post.Comment(c.f0, c.f1, c.f2, c.f3)));
        }

        @Override
        public long read(
                Tuple7<
                                String,
                                String,
                                String,
                                Long,
                                List<Tuple2<String, String>>,
                                List<String>,
                                List<Tuple4<String, String, String, Long>>>
                        t) {
            long sum = Sum.of(t.f0) + Sum.of(t.f1) + Sum.of(t.f2) + t.f3 + Sum.ofTexts(t.f5);
            for (Tuple2<String, String> m : t.f4) {
                sum += Sum.of(m.f0) + Sum.of(m.f1);
            }
            for (Tuple4<String, String, String, Long> c : t.f6) {
                sum += Sum.of(c.f0) + Sum.of(c.f1) + Sum.of(c.f2) + c.f3;
            }
            return sum;
        }

        @Override
        public boolean mutate(
                Tuple7<
                                String,
                                String,
                                String,
                                Long,
                                List<Tuple2<String, String>>,
                                List<String>,
                                List<Tuple4<String, String, String, Long>>>
                        t) {
            t.f6.get(0).f2 += "!";
            t.f4.get(0).f1 += "!";
            t.f5.set(0, "!");
            return true;
        }
    }

    /** Classes that Avro generates. */
    public static final class AvroSpecific extends Format<Post, APost> {
        public AvroSpecific(Supplier<TypeSerializer<APost>> serializers) {
            super(serializers);
        }

        @Override
        public APost build(Post value) {
            return new APost(
                    value.postId(),
                    value.authorId(),
                    value.content(),
                    value.timestamp(),
                    each(value.mediaAttachments(), m -> new AMedia(m.type(), m.url())),
                    new ArrayList<>(value.likes()),
                    each(
                            value.comments(),
                            c -> new AComment(c.commentId(), c.commenterId(), c.commentText(), c.timestamp())));
        }

        @Override
        public Post value(APost a) {
            return new Post(
                    a.getPostId(),
                    a.getAuthorId(),
                    a.getContent(),
                    a.getTimestamp(),
                    each(a.getMediaAttachments(), m -> new Post.Media(m.getType(), m.getUrl())),
                    new ArrayList<>(a.getLikes()),
                    each(
                            a.getComments(),
                            c -> new Post.Comment(
                                    c.getCommentId(), c.getCommenterId(), c.getCommentText(), c.getTimestamp())));
        }

        @Override
        public long read(APost a) {
            long sum = Sum.of(a.getPostId())
                    + Sum.of(a.getAuthorId())
                    + Sum.of(a.getContent())
                    + a.getTimestamp()
                    + Sum.ofTexts(a.getLikes());
            for (AMedia m : a.getMediaAttachments()) {
                sum += Sum.of(m.getType()) + Sum.of(m.getUrl());
            }
            for (AComment c : a.getComments()) {
                sum += Sum.of(c.getCommentId())
                        + Sum.of(c.getCommenterId())
                        + Sum.of(c.getCommentText())
                        + c.getTimestamp();
            }
            return sum;
        }

        @Override
        public boolean mutate(APost a) {
            a.getComments().get(0).setCommentText("!");
            a.getMediaAttachments().get(0).setUrl("!");
            a.getLikes().set(0, "!");
            return true;
        }
    }

    /** Avro's records without generated classes. */
    public static final class AvroGeneric extends Format<Post, GenericRecord> {
        /** The schema, which is that of the generated classes but for the class of texts. */
        public static final Schema SCHEMA = GenericSchemas.of(APost.getClassSchema());

        private static final Schema MEDIA = SCHEMA.getField("mediaAttachments").schema().getElementType();
        private static final Schema COMMENT = SCHEMA.getField("comments").schema().getElementType();

        public AvroGeneric(Supplier<TypeSerializer<GenericRecord>> serializers) {
            super(serializers);
        }

        @Override
        public GenericRecord build(Post value) {
            GenericRecord post = new GenericData.Record(SCHEMA);
            post.put(0, value.postId());
            post.put(1, value.authorId());
            post.put(2, value.content());
            post.put(3, value.timestamp());
            post.put(4, each(value.mediaAttachments(), AvroGeneric::media));
            post.put(5, new ArrayList<CharSequence>(value.likes()));
            post.put(6, each(value.comments(), AvroGeneric::comment));
            return post;
        }

        private static GenericRecord media(Post.Media value) {
            GenericRecord media = new GenericData.Record(MEDIA);
            media.put(0, value.type());
            media.put(1, value.url());
            return media;
        }

        private static GenericRecord comment(Post.Comment value) {
            GenericRecord comment = new GenericData.Record(COMMENT);
            comment.put(0, value.commentId());
            comment.put(1, value.commenterId());
            comment.put(2, value.commentText());
            comment.put(3, value.timestamp());
            return comment;
        }

        @SuppressWarnings("unchecked")
        private static List<GenericRecord> list(GenericRecord r, int field) {
            return (List<GenericRecord>) r.get(field);
        }

        @SuppressWarnings("unchecked")
        private static List<CharSequence> likes(GenericRecord r) {
            return (List<CharSequence>) r.get(5);
        }

        @Override
        public Post value(GenericRecord r) {
            return new Post(
                    GenericSchemas.text(r.get(0)),
                    GenericSchemas.text(r.get(1)),
                    GenericSchemas.text(r.get(2)),
                    (Long) r.get(3),
                    each(list(r, 4), m -> new Post.Media(GenericSchemas.text(m.get(0)), GenericSchemas.text(m.get(1)))),
                    each(likes(r), GenericSchemas::text),
                    each(
                            list(r, 6),
                            c -> new Post.Comment(
                                    GenericSchemas.text(c.get(0)),
                                    GenericSchemas.text(c.get(1)),
                                    GenericSchemas.text(c.get(2)),
                                    (Long) c.get(3))));
        }

        @Override
        public long read(GenericRecord r) {
            long sum = Sum.of((CharSequence) r.get(0))
                    + Sum.of((CharSequence) r.get(1))
                    + Sum.of((CharSequence) r.get(2))
                    + (Long) r.get(3)
                    + Sum.ofTexts(likes(r));
            for (GenericRecord m : list(r, 4)) {
                sum += Sum.of((CharSequence) m.get(0)) + Sum.of((CharSequence) m.get(1));
            }
            for (GenericRecord c : list(r, 6)) {
                sum += Sum.of((CharSequence) c.get(0))
                        + Sum.of((CharSequence) c.get(1))
                        + Sum.of((CharSequence) c.get(2))
                        + (Long) c.get(3);
            }
            return sum;
        }

        @Override
        public boolean mutate(GenericRecord r) {
            list(r, 6).get(0).put(2, "!");
            list(r, 4).get(0).put(1, "!");
            likes(r).set(0, "!");
            return true;
        }
    }

    /** Classes that protoc generates. */
    public static final class Protobuf extends Format<Post, Bench.Post> {
        public Protobuf(Supplier<TypeSerializer<Bench.Post>> serializers) {
            super(serializers);
        }

        @Override
        public Bench.Post build(Post value) {
            Bench.Post.Builder post = Bench.Post.newBuilder()
                    .setId(value.postId())
                    .setAuthor(value.authorId())
                    .setContent(value.content())
                    .setTimestamp(value.timestamp())
                    .addAllLikes(value.likes());
            for (Post.Media m : value.mediaAttachments()) {
                post.addAttachments(
                        Bench.Attachment.newBuilder().setType(m.type()).setUrl(m.url()));
            }
            for (Post.Comment c : value.comments()) {
                post.addComments(Bench.Comment.newBuilder()
                        .setId(c.commentId())
                        .setCommenter(c.commenterId())
                        .setText(c.commentText())
                        .setTimestamp(c.timestamp()));
            }
            return post.build();
        }

        @Override
        public Post value(Bench.Post p) {
            return new Post(
                    p.getId(),
                    p.getAuthor(),
                    p.getContent(),
                    p.getTimestamp(),
                    each(p.getAttachmentsList(), m -> new Post.Media(m.getType(), m.getUrl())),
                    new ArrayList<>(p.getLikesList()),
                    each(
                            p.getCommentsList(),
                            c -> new Post.Comment(
                                    c.getId(), c.getCommenter(), c.getText(), c.getTimestamp())));
        }

        @Override
        public long read(Bench.Post p) {
            long sum = Sum.of(p.getId())
                    + Sum.of(p.getAuthor())
                    + Sum.of(p.getContent())
                    + p.getTimestamp()
                    + Sum.ofTexts(p.getLikesList());
            for (Bench.Attachment m : p.getAttachmentsList()) {
                sum += Sum.of(m.getType()) + Sum.of(m.getUrl());
            }
            for (Bench.Comment c : p.getCommentsList()) {
                sum += Sum.of(c.getId())
                        + Sum.of(c.getCommenter())
                        + Sum.of(c.getText())
                        + c.getTimestamp();
            }
            return sum;
        }

        @Override
        public boolean mutate(Bench.Post held) {
            return false;
        }
    }

    /** Classes that the Thrift compiler generates. */
    public static final class Thrift extends Format<Post, TPost> {
        public Thrift(Supplier<TypeSerializer<TPost>> serializers) {
            super(serializers);
        }

        @Override
        public TPost build(Post value) {
            return new TPost(
                    value.postId(),
                    value.authorId(),
                    value.content(),
                    value.timestamp(),
                    each(value.mediaAttachments(), m -> new TMedia(m.type(), m.url())),
                    new ArrayList<>(value.likes()),
                    each(
                            value.comments(),
                            c -> new TComment(c.commentId(), c.commenterId(), c.commentText(), c.timestamp())));
        }

        @Override
        public Post value(TPost t) {
            return new Post(
                    t.getPostId(),
                    t.getAuthorId(),
                    t.getContent(),
                    t.getTimestamp(),
                    each(t.getMediaAttachments(), m -> new Post.Media(m.getType(), m.getUrl())),
                    new ArrayList<>(t.getLikes()),
                    each(
                            t.getComments(),
                            c -> new Post.Comment(
                                    c.getCommentId(), c.getCommenterId(), c.getCommentText(), c.getTimestamp())));
        }

        @Override
        public long read(TPost t) {
            long sum = Sum.of(t.getPostId())
                    + Sum.of(t.getAuthorId())
                    + Sum.of(t.getContent())
                    + t.getTimestamp()
                    + Sum.ofTexts(t.getLikes());
            for (TMedia m : t.getMediaAttachments()) {
                sum += Sum.of(m.getType()) + Sum.of(m.getUrl());
            }
            for (TComment c : t.getComments()) {
                sum += Sum.of(c.getCommentId())
                        + Sum.of(c.getCommenterId())
                        + Sum.of(c.getCommentText())
                        + c.getTimestamp();
            }
            return sum;
        }

        @Override
        public boolean mutate(TPost t) {
            t.getComments().get(0).setCommentText("!");
            t.getMediaAttachments().get(0).setUrl("!");
            t.getLikes().set(0, "!");
            return true;
        }
    }
}
