// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import io.tidemark.names.NameBackend;
import io.tidemark.names.NameLocations;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** A node of type {@code PublisherNode}: where names are kept. */
public sealed interface PublisherNode {

  /** Returns the place, as {@link io.tidemark.names.NameService#open} takes it. */
  String location();

  /** Opens it. */
  NameBackend openNames();

  /** A node that names no place. */
  record InMemory() implements PublisherNode {
    @Override
    public String location() {
      return "memory:";
    }

    @Override
    public NameBackend openNames() {
      return NameLocations.open(location());
    }
  }

  /** Documents in a storage. */
  record InStorage(StorageNode storage) implements PublisherNode {
    @Override
    public String location() {
      return storage.location();
    }

    @Override
    public NameBackend openNames() {
      return storage.openNames();
    }
  }

  /**
   * A table of DynamoDB.
   *
   * @param endpoint a server other than that of AWS
   * @param timeout how long a request may take
   */
  record DynamoDb(String table, String region, Optional<URI> endpoint, Duration timeout)
      implements PublisherNode {

    /** The region that is meant when none is named. */
    public static final String STANDARD_REGION = "us-east-1";

    /** How long a request may take unless something else is said. */
    public static final Duration STANDARD_TIMEOUT = Duration.ofSeconds(5);

    @Override
    public String location() {
      LocationBuilder.Query query = new LocationBuilder.Query().add("region", region);
      endpoint.ifPresent(server -> query.add("endpoint", server.toString()));
      query.add("timeout", timeout.toMillis() + "ms");
      return "dynamodb://" + LocationBuilder.encoded(table) + query;
    }

    @Override
    public NameBackend openNames() {
      return NameLocations.open(location());
    }
  }
}
