// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.jboss.weld.environment.se.Weld;
import org.projectnessie.jaxrs.ext.AuthorizerExtension;
import org.projectnessie.jaxrs.ext.ContextPrincipalExtension;
import org.projectnessie.jaxrs.ext.ServerConfigExtension;
import org.projectnessie.jaxrs.ext.VersionStoreImplExtension;
import org.projectnessie.services.impl.TreeApiImpl;
import org.projectnessie.services.rest.RestV2TreeResource;
import org.projectnessie.services.rest.converters.ContentKeyParamConverterProvider;
import org.projectnessie.services.rest.converters.ReferenceTypeParamConverterProvider;
import org.projectnessie.services.rest.exceptions.NessieExceptionMapper;
import org.projectnessie.versioned.storage.common.config.StoreConfig;
import org.projectnessie.versioned.storage.common.logic.Logics;
import org.projectnessie.versioned.storage.common.persist.Persist;
import org.projectnessie.versioned.storage.inmemory.InmemoryBackend;

/**
 * A real catalog: Nessie's own REST resources on its storage in memory, put together as for
 * Nessie's own tests. Its Quarkus, which it is sold with, isn't in Maven's repository.
 */
final class NessieServer implements AutoCloseable {

  private static final String TREES = "/api/v2/trees";
  private static final String COMMIT =
      """
      {"commitMeta":{"message":"one"},"operations":[{"type":"PUT","key":{"elements":["one"]},\
      "content":{"type":"ICEBERG_TABLE","metadataLocation":"one","snapshotId":1,"schemaId":1,\
      "specId":1,"sortOrderId":1}}]}""";

  /** Which tell of nothing but their start; held, since they are forgotten otherwise. */
  private static final List<Logger> TALKERS =
      List.of(
          Logger.getLogger("org.jboss.weld"),
          Logger.getLogger("org.glassfish"),
          Logger.getLogger("org.hibernate"));

  private final InmemoryBackend backend = new InmemoryBackend();
  private final Weld weld = new Weld();
  private final HttpServer server;
  private final String first;
  private final String second;

  NessieServer() throws IOException {
    TALKERS.forEach(talker -> talker.setLevel(Level.SEVERE));
    Persist persist = backend.createFactory().newPersist(StoreConfig.Adjustable.empty());
    Logics.repositoryLogic(persist).initialize("main");
    weld.addPackages(true, RestV2TreeResource.class, TreeApiImpl.class)
        .addExtension(new ContextPrincipalExtension(() -> null))
        .addExtension(new ServerConfigExtension())
        .addExtension(VersionStoreImplExtension.forPersist(() -> persist))
        .addExtension(new AuthorizerExtension())
        .property("org.jboss.weld.se.shutdownHook", "false")
        .initialize();
    server =
        GrizzlyHttpServerFactory.createHttpServer(
            URI.create("http://127.0.0.1:0/"),
            new ResourceConfig()
                .register(RestV2TreeResource.class)
                .register(ContentKeyParamConverterProvider.class)
                .register(ReferenceTypeParamConverterProvider.class)
                .register(NessieExceptionMapper.class),
            false);
    // It would close a connection after 256 requests, or 30 seconds without one.
    for (NetworkListener listener : server.getListeners()) {
      listener.getKeepAlive().setMaxRequestsCount(-1);
      listener.getKeepAlive().setIdleTimeoutInSeconds(-1);
    }
    server.start();
    try (HttpConnection httpConnection = new HttpConnection(address())) {
      first = asked(httpConnection, lookUp("main")).at("/reference/hash").textValue();
      String history = TREES + "/main@" + first + "/history/commit";
      second =
          asked(httpConnection, HttpConnection.send("POST", history, COMMIT))
              .at("/targetBranch/hash")
              .textValue();
    }
  }

  private static JsonNode asked(HttpConnection httpConnection, byte[] request) throws IOException {
    httpConnection.require(request);
    return new ObjectMapper().readTree(httpConnection.text());
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getListeners().iterator().next().getPort());
  }

  static byte[] lookUp(String branch) {
    return HttpConnection.get(TREES + "/" + branch);
  }

  /** Creates a branch, which is at the first commit. */
  byte[] create(String branch) {
    return HttpConnection.send("POST", TREES + "?type=BRANCH&name=" + branch, main(first));
  }

  /** Moves a branch from where it is known to be: there, and back the next time. */
  byte[] move(String branch, boolean there) {
    String path = TREES + "/" + branch + "@" + (there ? first : second) + "?type=BRANCH";
    return HttpConnection.send("PUT", path, main(there ? second : first));
  }

  private static String main(String hash) {
    return "{\"type\":\"BRANCH\",\"name\":\"main\",\"hash\":\"%s\"}".formatted(hash);
  }

  @Override
  public void close() {
    server.shutdownNow();
    weld.shutdown();
    backend.close();
  }
}
