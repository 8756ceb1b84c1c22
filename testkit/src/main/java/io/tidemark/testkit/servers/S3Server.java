// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import io.tidemark.testkit.servers.awssdk.MemoryBlobStore;
import java.lang.reflect.Field;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.shaded.org.eclipse.jetty.server.Server;

/**
 * An S3 server in this JVM, on the loopback interface: S3Proxy speaks the protocol and checks
 * signatures, on buckets in memory that judge conditions atomically.
 *
 * <p>What S3Proxy stores in files it can't keep as S3 does: it checks If-Match and then writes, and
 * it can't hold {@code a} beside {@code a/b}, path segments over 218 bytes, or the order of UTF-8.
 * Kept in a sorted map, keys have S3's limits and no others.
 *
 * <p>Still otherwise than S3:
 *
 * <ul>
 *   <li>Buckets are addressed by path only; clients must force path style.
 *   <li>It never answers 409 to colliding writes by itself; {@link ServerFault#CONFLICT} does.
 *   <li>No copies, versions, access lists or encryption.
 *   <li>An unconditional completion of a multipart upload sends the start of its answer before it
 *       is applied; {@link ServerFault#holdAfter} may then hold one that isn't yet.
 * </ul>
 */
public final class S3Server implements AutoCloseable {

  private static final String ACCESS_KEY = "tidemarktest";
  private static final String SECRET_KEY = "not-a-secret";

  private final Map<String, S3Bucket> buckets = new ConcurrentHashMap<>();
  private final MemoryBlobStore store =
      new MemoryBlobStore(new S3Bucket(this, "", S3Bucket.Conditions.JUDGED).traits());
  private final S3Proxy proxy;

  private S3Server() {
    proxy =
        S3Proxy.builder()
            .blobStore(store)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, ACCESS_KEY, SECRET_KEY)
            .ignoreUnknownHeaders(true)
            .stopTimeout(0)
            .build();
    Server jetty = jettyOf(proxy);
    jetty.setHandler(
        new FaultInjectingHandler(
            jetty.getHandler(), name -> Optional.ofNullable(buckets.get(name))));
    try {
      proxy.start();
    } catch (Exception e) {
      throw new IllegalStateException("the S3 server of the tests doesn't start", e);
    }
  }

  /** S3Proxy has no place for a handler of ours, so its server is taken from its field. */
  private static Server jettyOf(S3Proxy proxy) {
    try {
      Field field = S3Proxy.class.getDeclaredField("server");
      field.setAccessible(true);
      return (Server) field.get(proxy);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this S3Proxy keeps its server elsewhere", e);
    }
  }

  /** Starts a server that the caller closes. */
  public static S3Server start() {
    return new S3Server();
  }

  /** Where it listens. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + proxy.getPort());
  }

  /** The region to sign for. */
  public String region() {
    return "us-east-1";
  }

  /** The id of the one pair of credentials that is accepted. */
  public String accessKey() {
    return ACCESS_KEY;
  }

  /** The secret of the one pair of credentials that is accepted. */
  public String secretKey() {
    return SECRET_KEY;
  }

  /** A fresh, empty bucket that behaves as S3 does. */
  public S3Bucket createBucket() {
    return createBucket(S3Bucket.Conditions.JUDGED);
  }

  /** A fresh, empty bucket that treats conditions as told. */
  public S3Bucket createBucket(S3Bucket.Conditions conditions) {
    S3Bucket bucket = new S3Bucket(this, "test-" + UUID.randomUUID(), conditions);
    buckets.put(bucket.name(), bucket);
    store.create(bucket.name(), bucket.traits());
    return bucket;
  }

  /** Stops it; what it held is gone. */
  @Override
  public void close() {
    try {
      proxy.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the S3 server of the tests doesn't stop", e);
    }
  }
}
