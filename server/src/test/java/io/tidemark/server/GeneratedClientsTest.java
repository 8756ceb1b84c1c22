// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.caoccao.javet.interop.NodeRuntime;
import com.caoccao.javet.interop.V8Host;
import com.caoccao.javet.node.modules.NodeModuleModule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openapitools.codegen.DefaultGenerator;
import org.openapitools.codegen.config.CodegenConfigurator;

/** Clients that a generator makes of the description compile, and one talks to a server. */
final class GeneratedClientsTest {

  private static final String PACKAGE = "generated";

  @TempDir static Path directory;

  private static RunningServer server;
  private static Path description;

  @BeforeAll
  static void start() throws IOException {
    server = RunningServer.inMemory();
    description = directory.resolve("openapi.json");
    Files.writeString(description, server.get("/openapi.json").body());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aJavaClientCompilesAndCreatesAndListsNames() throws Exception {
    Path sources =
        generated(
            "java",
            Map.of("library", "native", "openApiNullable", "false", "useJakartaEe", "true"));
    Path classes = Files.createDirectory(directory.resolve("classes"));
    compile(sources, classes);
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
      Object names = api(loader, "NamesApi");
      Object made = call(names, "createName", "db");
      assertThat(call(made, "getAddress")).isEqualTo("db:main");
      Object listed = call(names, "listNames", "d");
      assertThat((List<?>) call(listed, "getItems")).hasSize(1);
      assertThat(call(((List<?>) call(listed, "getItems")).get(0), "getName")).isEqualTo("db");
      assertThat(call(call(api(loader, "ServerApi"), "ready"), "getStatus")).isEqualTo("ready");
    }
  }

  /** An API of the client, which asks the server. */
  private static Object api(ClassLoader loader, String name) throws Exception {
    Object client = loader.loadClass(PACKAGE + ".ApiClient").getConstructor().newInstance();
    Object unused = call(client, "updateBaseUri", server.server().address().toString());
    return loader
        .loadClass(PACKAGE + ".api." + name)
        .getConstructor(client.getClass())
        .newInstance(client);
  }

  /** Calls a method with its first arguments, and null for all others. */
  private static Object call(Object target, String name, Object... arguments) throws Exception {
    Method method =
        Arrays.stream(target.getClass().getMethods())
            .filter(each -> each.getName().equals(name))
            .filter(each -> each.getParameterCount() >= arguments.length)
            .findFirst()
            .orElseThrow();
    try {
      return method.invoke(target, Arrays.copyOf(arguments, method.getParameterCount()));
    } catch (InvocationTargetException e) {
      throw new AssertionError(name + " of the generated client", e.getCause());
    }
  }

  private static void compile(Path sources, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(said, Locale.ROOT, null);
        Stream<Path> all = Files.walk(sources.resolve("src/main/java"))) {
      List<Path> java = all.filter(file -> file.toString().endsWith(".java")).toList();
      List<String> options = List.of("-proc:none", "-nowarn", "-d", classes.toString());
      boolean compiled =
          compiler
              .getTask(null, files, said, options, null, files.getJavaFileObjectsFromPaths(java))
              .call();
      assertThat(compiled)
          .as(
              "%s",
              said.getDiagnostics().stream()
                  .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                  .limit(20)
                  .toList())
          .isTrue();
      assertThat(java).hasSizeGreaterThan(50);
    }
  }

  @Test
  void aTypeScriptClientCompiles() throws Exception {
    Path sources = generated("typescript-fetch", Map.of());
    Path compiler = typescript();
    try (NodeRuntime node = V8Host.getNodeInstance().createV8Runtime()) {
      node.getNodeModule(NodeModuleModule.class).setRequireRootDirectory(directory.toFile());
      node.getGlobalObject().set("compiler", compiler.toString());
      node.getGlobalObject().set("source", sources.resolve("index.ts").toString());
      String problems =
          node.getExecutor(
                  """
                  const ts = require(compiler);
                  const program = ts.createProgram([source], {
                    strict: true, noEmit: true, target: ts.ScriptTarget.ES2020,
                    moduleResolution: ts.ModuleResolutionKind.Node10, types: [],
                    lib: ['lib.es2020.d.ts', 'lib.dom.d.ts']});
                  ts.getPreEmitDiagnostics(program).slice(0, 20)
                    .map(d => (d.file ? d.file.fileName : '') + ': '
                      + ts.flattenDiagnosticMessageText(d.messageText, ' '))
                    .concat(program.getSourceFiles().length > 100 ? [] : ['there are few files'])
                    .join('\\n')
                  """)
              .executeString();
      assertThat(problems).isEmpty();
    }
  }

  /** The compiler of TypeScript with its libraries, out of the jar that it comes in. */
  private static Path typescript() throws IOException {
    URL pom =
        Objects.requireNonNull(
            GeneratedClientsTest.class.getResource(
                "/META-INF/maven/org.webjars.npm/typescript/pom.properties"));
    Path to = Files.createDirectory(directory.resolve("typescript"));
    URI jar = URI.create(pom.toString().substring(0, pom.toString().indexOf('!')));
    try (FileSystem files = FileSystems.newFileSystem(jar, Map.of());
        Stream<Path> all = Files.walk(files.getPath("META-INF/resources/webjars/typescript"))) {
      all.filter(file -> file.toString().matches(".*/lib/(typescript\\.js|lib\\..*\\.d\\.ts)"))
          .forEach(file -> copy(file, to.resolve(file.getFileName().toString())));
    }
    return to.resolve("typescript.js");
  }

  private static void copy(Path from, Path to) {
    try (InputStream in = Files.newInputStream(from)) {
      Files.copy(in, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path generated(String generator, Map<String, String> properties)
      throws IOException {
    Path out = directory.resolve(generator);
    CodegenConfigurator configurator =
        new CodegenConfigurator()
            .setGeneratorName(generator)
            .setInputSpec(description.toString())
            .setOutputDir(out.toString())
            .setInvokerPackage(PACKAGE)
            .setApiPackage(PACKAGE + ".api")
            .setModelPackage(PACKAGE + ".model")
            .setValidateSpec(true)
            .addAdditionalProperty("hideGenerationTimestamp", "true");
    properties.forEach(configurator::addAdditionalProperty);
    DefaultGenerator maker = new DefaultGenerator();
    maker.setGenerateMetadata(false);
    List<java.io.File> unused = maker.opts(configurator.toClientOptInput()).generate();
    return out;
  }
}
