// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the servers they ask for, as parameters of a test, its constructor or a method around
 * it:
 *
 * <pre>{@code
 * @ExtendWith(Servers.class)
 * class SomethingTest {
 *   private final S3Bucket bucket;
 *
 *   SomethingTest(S3Server server) {
 *     bucket = server.createBucket();
 *   }
 * }
 * }</pre>
 *
 * <p>A server is started by the first test that asks, shared by all tests of the JVM since starting
 * takes a while, and stopped after the last. A test takes a bucket, a table or a database of its
 * own. A server that can't be started fails the test.
 */
public final class ServerExtension implements ParameterResolver {

  // Lambdas, not method references: those would load the libraries of all servers for one.
  private static final Map<Class<?>, Supplier<AutoCloseable>> STARTS =
      Map.of(
          S3Server.class, () -> S3Server.start(),
          DynamoDbServer.class, () -> DynamoDbServer.start(),
          PostgresServer.class, () -> PostgresServer.start());

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return STARTS.containsKey(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    Class<?> type = parameter.getParameter().getType();
    Supplier<AutoCloseable> start = Objects.requireNonNull(STARTS.get(type), "a supported type");
    // What the root's store holds is closed when all tests have ended.
    return test.getRoot()
        .getStore(Namespace.create(ServerExtension.class))
        .computeIfAbsent(type, wanted -> start.get());
  }
}
