// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.named;

import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.names.Address;
import io.tidemark.names.Ledgers;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import java.time.Duration;
import java.util.Optional;

/**
 * Initializer of a ledger together with its name.
 *
 * <p>The name is made when the place is known to be good, so that a place that isn't leaves none
 * behind; and before it is a ledger, so that doing it again completes what a crash left.
 */
public final class NamedLedgerInitializer implements AutoCloseable {

  private final NameService names;
  private final NamedLedgers ledgers;
  private final Address address;
  private final Optional<String> objects;
  private final NamedLedgers.LedgerLocation ledgerLocation;
  private final LedgerInitializer init;

  /**
   * Changes nothing yet.
   *
   * @param objects where the objects are to be; empty for where the name says, or the usual place
   * @throws io.tidemark.names.AlreadyExistsException when the name is that of something else
   * @throws io.tidemark.names.RetractedException when it is retracted, and with it the ledger that
   *     may be restored
   */
  public NamedLedgerInitializer(NameService names, Address address, Optional<String> objects) {
    this(new NamedLedgers(names), address, objects);
  }

  /** Prepares a ledger in a location that the given ledgers allow; changes nothing yet. */
  public NamedLedgerInitializer(NamedLedgers ledgers, Address address, Optional<String> objects) {
    this.names = ledgers.names();
    this.ledgers = ledgers;
    this.address = address;
    this.objects = objects;
    this.ledgerLocation = ledgers.preview(address, objects);
    this.init = ledgerLocation.init();
  }

  /** Returns the plan of what an initialization would do. */
  public LedgerInitializer.InitializationPlan plan() {
    return init.plan();
  }

  /**
   * Makes an empty ledger.
   *
   * @throws io.tidemark.ledger.AlreadyInitializedException when there is one in that place
   */
  public void init() {
    init.prepare();
    ledgers.claim(address, objects).close();
    init.activate();
  }

  /**
   * Begins anew in a place where there may be a ledger.
   *
   * @param token the one that {@link #plan()} tells
   */
  public void reinitialize(String token) {
    init.reinitialize(token, this::name);
  }

  /** Fails when the name was retracted meanwhile, while there is something left to restore. */
  private void name() {
    ledgers.claim(address, objects).close();
    names.ledgers().reset(address, new Ledgers.Heads(Ref.UNBORN, Ref.UNBORN));
  }

  /**
   * Ends a {@link #reinitialize} for a process that has to go; see {@link LedgerInitializer#stop}.
   */
  public void stop(Duration limit) {
    init.stop(limit);
  }

  @Override
  public void close() {
    ledgerLocation.close();
  }
}
