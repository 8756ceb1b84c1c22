// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.tidemark.objects.TidemarkException;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the tables of the coming days, once a day and in a transaction of its own. A transaction
 * that finds no tables for its day creates them itself, and other transactions that need them wait
 * until it has ended. Opening a storage creates those of three days, but the storage may be open
 * for longer, and a maintainer isn't required.
 */
public final class PartitionProvisioner {

  private static final Logger LOG = LoggerFactory.getLogger(PartitionProvisioner.class);

  private final FeatureStorage featureStorage;
  private final Clock clock;
  private final AtomicReference<LocalDate> made;

  /**
   * Creates a provisioner for a storage that has just been opened.
   *
   * @param clock need not agree with the server's to the second: there are more days than one
   */
  public PartitionProvisioner(FeatureStorage featureStorage, Clock clock) {
    this.featureStorage = featureStorage;
    this.clock = clock;
    this.made = new AtomicReference<>(today());
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  /** Creates the tables if the day has changed since the last call; to be called before writing. */
  public void provision() {
    LocalDate last = made.get();
    LocalDate today = today();
    if (today.equals(last) || !made.compareAndSet(last, today)) {
      return;
    }
    try {
      SchemaLocation unused =
          SchemaInstaller.of(featureStorage.place().storageId()).install(featureStorage.database());
    } catch (TidemarkException e) {
      LOG.warn("the tables of the days to come can't be made; who writes first makes them", e);
    }
  }
}
