package flinkpeer;

import com.google.protobuf.Message;

import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Makes classes of .proto files with protoc and javac, and loads them. */
final class Classes {
    private final Path protoc;
    private final Path include = Files.createTempDirectory("include-");
    private final Map<Path, URLClassLoader> loaders = new HashMap<>();

    Classes(Path protoc) throws IOException {
        this.protoc = protoc;
        // Maven copies it without the permission.
        if (!protoc.toFile().setExecutable(true)) {
            throw new IOException(protoc + " cannot be made executable");
        }
        try (JarFile jar = new JarFile(Message.class.getProtectionDomain().getCodeSource().getLocation().getPath())) {
            for (Enumeration<JarEntry> e = jar.entries(); e.hasMoreElements(); ) {
                JarEntry entry = e.nextElement();
                if (entry.getName().endsWith(".proto")) {
                    Path to = include.resolve(entry.getName());
                    Files.createDirectories(to.getParent());
                    Files.copy(jar.getInputStream(entry), to);
                }
            }
        }
    }

    void close() throws IOException {
        for (URLClassLoader l : loaders.values()) {
            l.close();
        }
        Folders.delete(include);
    }

    /** The loader of a jar that {@link #compile} has made. */
    synchronized ClassLoader loader(Path jar) throws IOException {
        URLClassLoader l = loaders.get(jar);
        if (l == null) {
            l = new URLClassLoader(new URL[] {jar.toUri().toURL()}, Classes.class.getClassLoader());
            loaders.put(jar, l);
        }
        return l;
    }

    @SuppressWarnings("unchecked")
    Class<? extends Message> message(Path jar, String name) throws Exception {
        return (Class<? extends Message>) Class.forName(name, true, loader(jar));
    }

    /**
     * Compiles sources, each a folder and one file in it, into a jar. The answer lists those that protoc or javac refuse, with
     * the cause; they are not in the jar. Files of one path may be in several folders, if their classes have different names.
     */
    void compile(JsonNode sources, Path jar, ObjectNode answer) throws Exception {
        Path work = Files.createTempDirectory("compile-");
        try {
            Map<String, String> failed = new LinkedHashMap<>();
            Map<String, Path> folders = new LinkedHashMap<>();
            for (JsonNode s : sources) {
                Path java = Files.createDirectories(work.resolve("java").resolve("" + folders.size()));
                String cause = protoc(s.get("root").asText(), s.get("file").asText(), java);
                String id = s.get("id").asText();
                folders.put(id, java);
                if (cause != null) {
                    failed.put(id, cause);
                }
            }
            Path classes = Files.createDirectories(work.resolve("classes"));
            // All at once is much faster than one by one. What has errors is left out of the next try.
            int before;
            do {
                before = failed.size();
                Folders.delete(classes);
                Files.createDirectories(classes);
                javac(folders, failed, classes);
            } while (failed.size() > before);
            pack(classes, jar);
            ObjectNode f = answer.putObject("refused");
            failed.forEach(f::put);
        } finally {
            Folders.delete(work);
        }
    }

    private String protoc(String root, String file, Path java) throws Exception {
        Process p = new ProcessBuilder(protoc.toString(), "-I" + root, "-I" + include, "--java_out=" + java, file)
                .redirectErrorStream(true)
                .start();
        String out = new String(p.getInputStream().readAllBytes());
        return p.waitFor() == 0 ? null : "protoc: " + out;
    }

    private static void javac(Map<String, Path> folders, Map<String, String> failed, Path classes) throws Exception {
        Map<String, String> owners = new HashMap<>();
        List<Path> source = new ArrayList<>();
        for (Map.Entry<String, Path> e : folders.entrySet()) {
            if (!failed.containsKey(e.getKey())) {
                for (Path p : Folders.files(e.getValue())) {
                    source.add(p);
                    owners.put(p.toAbsolutePath().toString(), e.getKey());
                }
            }
        }
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none",
                "-nowarn", "-Xlint:none", "-g:none", "-encoding", "UTF-8", "-Xmaxerrs", "100000");
        try (StandardJavaFileManager files = javac.getStandardFileManager(found, null, null)) {
            javac.getTask(null, files, found, options, null, files.getJavaFileObjectsFromPaths(source)).call();
        }
        for (Diagnostic<? extends JavaFileObject> d : found.getDiagnostics()) {
            if (d.getKind() == Diagnostic.Kind.ERROR) {
                String path = d.getSource() == null ? "" : Path.of(d.getSource().getName()).toAbsolutePath().toString();
                String owner = owners.get(path);
                if (owner == null) {
                    throw new IllegalStateException("javac: " + d.getMessage(null));
                }
                failed.putIfAbsent(owner, "javac: " + d.getMessage(null));
            }
        }
    }

    private static void pack(Path classes, Path jar) throws IOException {
        Files.createDirectories(jar.getParent());
        try (OutputStream out = Files.newOutputStream(jar); JarOutputStream j = new JarOutputStream(out)) {
            j.setLevel(1);
            for (Path f : Folders.files(classes)) {
                j.putNextEntry(new JarEntry(classes.relativize(f).toString().replace('\\', '/')));
                Files.copy(f, j);
            }
        }
    }
}
