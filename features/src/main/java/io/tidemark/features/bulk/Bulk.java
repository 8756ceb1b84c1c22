// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.bulk.output.Export;
import io.tidemark.features.bulk.output.ExportOptions;
import io.tidemark.features.db.Storage;
import io.tidemark.features.model.Actor;
import io.tidemark.features.write.Transaction;
import java.util.List;
import java.util.function.Function;

/** Loads and exports of one storage. */
public final class Bulk {

  private final Storage storage;
  private final Function<Actor, Transaction> begin;

  /**
   * Creates the loads and exports of a storage.
   *
   * @param begin begins a transaction for writes to a collection that has features
   */
  public Bulk(Storage storage, Function<Actor, Transaction> begin) {
    this.storage = storage;
    this.begin = begin;
  }

  /** A load of a file into a collection, which begins when it is run. */
  public Load load(Actor actor, String collection, Input input, LoadOptions options) {
    return new Load(storage, begin, new Order(actor, collection, input, options));
  }

  /** An export of a collection, which begins when it is told where to. */
  public Export export(String collection, ExportOptions options) {
    return new Export(storage, collection, options);
  }

  /**
   * Drops the tables that loads have left behind that were killed; those of loads that are under
   * way stay.
   *
   * @return the names of what was dropped
   */
  public List<String> removeLeftovers() {
    return storage.inTransaction(
        session -> session.texts("SELECT naksha_load_clean FROM %s.naksha_load_clean()"));
  }

  /** What is to be loaded. */
  record Order(Actor actor, String collection, Input input, LoadOptions options) {}
}
