// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed;

import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.names.NameLocations;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import java.util.Optional;

/** Tidemark in this process, on the stores that its options name. */
public final class EmbeddedTidemark implements Tidemark {

  private final NameService names;
  private final Optional<ObjectStore> ownObjects;

  private EmbeddedTidemark(NameService names, Optional<ObjectStore> ownObjects) {
    this.names = names;
    this.ownObjects = ownObjects;
  }

  /** Opens the stores of the options. */
  public static EmbeddedTidemark open(OpenOptions options) {
    Optional<ObjectStore> objects = options.objects().map(ObjectStore::open);
    try {
      NameOptions beside =
          objects.map(NameOptions.standard()::beside).orElseGet(NameOptions::standard);
      return new EmbeddedTidemark(
          new NameService(NameLocations.open(options.location()), beside), objects);
    } catch (RuntimeException e) {
      objects.ifPresent(ObjectStore::close);
      throw e;
    }
  }

  @Override
  public String location() {
    return names.location();
  }

  @Override
  public NameService names() {
    return names;
  }

  @Override
  public Optional<ObjectStore> objects() {
    return names.objects();
  }

  @Override
  public void close() {
    names.close();
    ownObjects.ifPresent(ObjectStore::close);
  }
}
