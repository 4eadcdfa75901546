import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.Message;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles the Java source of .proto files and prints the descriptors that the classes hold.
 *
 * <p>Arguments: the protobuf-java jar, a folder for classes. Input: lines of the name of a .proto file and the folder with its
 * Java source. Output: a line for each, "name TAB ok TAB hexadecimal bytes" or "name TAB failed TAB cause"; then a line for each
 * message that has a class, "full name TAB class TAB binary name".
 */
public class Dump {
  public static void main(String[] args) throws Exception {
    Map<String, Path> folders = new LinkedHashMap<>();
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in))) {
      for (String line; (line = in.readLine()) != null; ) {
        String[] parts = line.split("\t");
        folders.put(parts[0], Path.of(parts[1]));
      }
    }
    Path classes = Path.of(args[1]);
    List<String> options =
        List.of(
            "-cp", args[0], "-d", classes.toString(), "-nowarn", "-proc:none", "-Xlint:none", "-encoding", "UTF-8",
            "-Xmaxerrs", "100000");
    Map<String, String> failed = new LinkedHashMap<>();
    // All at once is much faster than one by one. What has errors is left out of the next try.
    int before;
    do {
      before = failed.size();
      compile(options, folders, failed);
    } while (failed.size() > before);
    // Some classes of the runtime can only be loaded after this one.
    com.google.protobuf.DescriptorProtos.getDescriptor();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, Dump.class.getClassLoader())) {
      for (Map.Entry<String, Path> e : folders.entrySet()) {
        String cause = failed.get(e.getKey());
        byte[] bytes = null;
        if (cause == null) {
          try {
            bytes = descriptor(loader, e.getKey(), e.getValue());
            cause = "no class has the descriptor";
          } catch (ReflectiveOperationException | LinkageError x) {
            cause = "cannot be loaded: " + x + " " + x.getCause();
          }
        }
        String answer = bytes != null ? "ok\t" + HexFormat.of().formatHex(bytes) : "failed\t" + cause.replaceAll("\\s+", " ");
        System.out.println(e.getKey() + "\t" + answer);
      }
      printMessages(loader, classes);
    }
  }

  private static void printMessages(ClassLoader loader, Path classes) throws Exception {
    List<Path> paths;
    try (Stream<Path> all = Files.walk(classes)) {
      paths = all.filter(p -> p.toString().endsWith(".class")).toList();
    }
    for (Path p : paths) {
      String name = classes.relativize(p).toString().replace(File.separatorChar, '.');
      Class<?> c = Class.forName(name.substring(0, name.length() - ".class".length()), false, loader);
      if (Message.class.isAssignableFrom(c) && !c.isInterface() && !Modifier.isAbstract(c.getModifiers())) {
        Descriptor d = (Descriptor) c.getMethod("getDescriptor").invoke(null);
        System.out.println(d.getFullName() + "\tclass\t" + c.getName());
      }
    }
  }

  private static List<Path> sourceOf(Path folder) throws Exception {
    try (Stream<Path> paths = Files.walk(folder)) {
      return new ArrayList<>(paths.filter(p -> p.toString().endsWith(".java")).toList());
    }
  }

  /** Compiles the source of all files that have not failed, and adds those that have errors to them. */
  private static void compile(List<String> options, Map<String, Path> folders, Map<String, String> failed) throws Exception {
    Map<String, String> owners = new LinkedHashMap<>();
    List<Path> source = new ArrayList<>();
    for (Map.Entry<String, Path> e : folders.entrySet()) {
      if (!failed.containsKey(e.getKey())) {
        for (Path p : sourceOf(e.getValue())) {
          source.add(p);
          owners.put(p.toAbsolutePath().toString(), e.getKey());
        }
      }
    }
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager files = javac.getStandardFileManager(found, null, null)) {
      javac.getTask(null, files, found, options, null, files.getJavaFileObjectsFromPaths(source)).call();
    }
    for (Diagnostic<? extends JavaFileObject> d : found.getDiagnostics()) {
      if (d.getKind() == Diagnostic.Kind.ERROR && d.getSource() != null) {
        Path path = Path.of(d.getSource().getName()).toAbsolutePath();
        failed.putIfAbsent(
            owners.get(path.toString()), "javac: " + path.getFileName() + ":" + d.getLineNumber() + ": " + d.getMessage(null));
      }
    }
  }

  /** The descriptor as normalization version 1 has it. */
  private static byte[] descriptor(ClassLoader loader, String file, Path folder) throws Exception {
    for (Path p : sourceOf(folder)) {
      String name = folder.relativize(p).toString().replace(File.separatorChar, '.');
      Class<?> c = Class.forName(name.substring(0, name.length() - ".java".length()), true, loader);
      Method m;
      try {
        m = c.getMethod("getDescriptor");
      } catch (NoSuchMethodException e) {
        continue;
      }
      if (m.getReturnType() != FileDescriptor.class) {
        continue;
      }
      FileDescriptor f = (FileDescriptor) m.invoke(null);
      if (f.getName().equals(file)) {
        byte[] cleared = encode(f.toProto().toBuilder().clearSourceCodeInfo().build());
        return encode(FileDescriptorProto.parseFrom(cleared, ExtensionRegistryLite.getEmptyRegistry()));
      }
    }
    return null;
  }

  private static byte[] encode(FileDescriptorProto f) throws Exception {
    byte[] bytes = new byte[f.getSerializedSize()];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.useDeterministicSerialization();
    f.writeTo(out);
    out.checkNoSpaceLeft();
    return bytes;
  }
}
