// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.BearerToken;
import io.tidemark.names.Address;
import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.TokenFile;
import io.tidemark.testkit.names.NameServiceContract;
import io.tidemark.testkit.names.NamesContractScale;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All that a nameservice does, through a server that has its names in memory, for somebody who may
 * have the names that begin in one way. Beside them are others, which are neither seen nor touched.
 */
final class HttpNamesTest extends NameServiceContract {

  private static final List<Address> OTHERS =
      List.of(Address.parse("A"), Address.parse("a"), Address.parse("a0"), Address.parse("z/z"));

  private static NamesServer server;
  private static BearerToken bearerToken;

  private final NameService all;

  HttpNamesTest() {
    NameBackend backend = new MemoryNameBackend();
    all = new NameService(backend);
    OTHERS.forEach(all::create);
    server.serve(backend);
  }

  @BeforeAll
  static void start(@TempDir Path directory) {
    Path file = directory.resolve("tokens");
    io.tidemark.server.access.TokenRecord.NewToken newToken =
        io.tidemark.server.access.TokenRecord.create(
            "some",
            Grant.parse("read,write,lock,admin:names/" + PrefixFilteredBackend.PREFIX),
            Instant.now(),
            Optional.empty());
    new TokenFile(file).add(newToken.token());
    bearerToken = BearerToken.of(newToken.secret(), "the test");
    server =
        new NamesServer(
            new MemoryNameBackend(), AccessControl.of(AccessSettings.none().withTokens(file)));
  }

  @AfterEach
  void areAsTheyWere() {
    for (Address other : OTHERS) {
      assertThat(all.find(other).orElseThrow().meta().retracted()).isFalse();
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected NamesContractScale scale() {
    return NamesContractScale.slow();
  }

  @Override
  protected NameBackend open() {
    return new PrefixFilteredBackend(server.client(Optional.of(bearerToken)));
  }

  /** As long as their beginning leaves room for. */
  @Override
  @Test
  public void theLongestNamesAreKept_names43() {
    Address longest =
        new Address("n".repeat(255 - PrefixFilteredBackend.PREFIX.length()), "b".repeat(128));
    try (NameService names = new NameService(open())) {
      names.create(longest);
      assertThat(names.list(RecordFilter.all()).map(NameRecord::address)).containsExactly(longest);
    }
  }
}
