import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Asks a jar with the serializer for what the lines of a file say, and prints every difference. It uses
 * Flink's own interfaces only: the class of the snapshot is named by the bytes.
 *
 * <p>Lines have tabs between their words: "snapshot FILE" is read and written again; "verdict NAME OLD NEW
 * ok|break" compares two snapshots; "frames SNAPSHOT FILE CLASSES" restores a serializer with the classes
 * in a folder, reads all frames and writes them again.
 */
public final class VerifyJar {
  private static int differences;

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    int snapshots = 0;
    int verdicts = 0;
    int frames = 0;
    for (String line : Files.readAllLines(folder.resolve("checks.txt"))) {
      List<String> words = Arrays.asList(line.split("\t"));
      try {
        switch (words.get(0)) {
          case "snapshot":
            snapshots++;
            snapshot(folder, words.get(1));
            break;
          case "verdict":
            verdicts++;
            verdict(folder, words.get(1), words.get(2), words.get(3), words.get(4));
            break;
          case "frames":
            frames += frames(folder, words.get(1), words.get(2), folder.resolve(words.get(3)));
            break;
          default:
            throw new IllegalArgumentException("unknown line: " + line);
        }
      } catch (Exception | LinkageError e) {
        differs(line.replace('\t', ' '), "no exception", e.toString());
      }
    }
    System.out.printf("%d snapshots, %d verdicts, %d frames; %d differences%n", snapshots, verdicts, frames, differences);
    System.exit(differences == 0 ? 0 : 1);
  }

  private static void differs(String what, Object ours, Object theirs) {
    differences++;
    System.out.printf("DIFFERENCE %s: ours %s, the jar's %s%n", what, ours, theirs);
  }

  private static TypeSerializerSnapshot<?> read(byte[] bytes, ClassLoader loader) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    TypeSerializerSnapshot<?> read = TypeSerializerSnapshot.readVersionedSnapshot(in, loader);
    if (in.available() != 0) {
      throw new IOException(in.available() + " bytes are left");
    }
    return read;
  }

  private static void snapshot(Path folder, String file) throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve(file));
    DataOutputSerializer out = new DataOutputSerializer(bytes.length);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, read(bytes, VerifyJar.class.getClassLoader()));
    byte[] again = out.getCopyOfBuffer();
    if (!Arrays.equals(bytes, again)) {
      differs("snapshot " + file, bytes.length + " bytes", again.length + " others");
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static void verdict(Path folder, String name, String old, String now, String ours) throws IOException {
    ClassLoader loader = VerifyJar.class.getClassLoader();
    TypeSerializerSnapshot before = read(Files.readAllBytes(folder.resolve(old)), loader);
    TypeSerializerSnapshot after = read(Files.readAllBytes(folder.resolve(now)), loader);
    TypeSerializerSchemaCompatibility<?> answer = after.resolveSchemaCompatibility(before);
    String theirs = answer.isCompatibleAsIs() ? "ok" : answer.isIncompatible() ? "break" : answer.toString();
    if (!theirs.equals(ours)) {
      differs("verdict " + name, ours, theirs);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int frames(Path folder, String snapshot, String file, Path classes) throws Exception {
    int n = 0;
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, VerifyJar.class.getClassLoader())) {
      TypeSerializer serializer = read(Files.readAllBytes(folder.resolve(snapshot)), loader).restoreSerializer();
      byte[] bytes = Files.readAllBytes(folder.resolve(file));
      DataInputDeserializer in = new DataInputDeserializer(bytes);
      DataOutputSerializer out = new DataOutputSerializer(bytes.length);
      while (in.available() > 0) {
        serializer.serialize(serializer.deserialize(in), out);
        n++;
      }
      if (!Arrays.equals(bytes, out.getCopyOfBuffer())) {
        differs("frames " + file, bytes.length + " bytes", out.length() + " others");
      }
    }
    return n;
  }
}
