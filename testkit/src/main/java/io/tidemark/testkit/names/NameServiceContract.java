// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import io.tidemark.names.NameBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What the nameservice does on every backend, by topic in the interfaces it is made of. A name that
 * ends in {@code _names29} is that case of the specification; {@code _names5_8} is a weakness of
 * its section 5 that we don't share.
 *
 * <p>A subclass says how to open the backend:
 *
 * <pre>{@code
 * class MemoryNamesTest extends NameServiceContract {
 *   private final MemoryNameBackend place = new MemoryNameBackend();
 *
 *   @Override
 *   protected NameBackend open() {
 *     return place;
 *   }
 * }
 * }</pre>
 *
 * <p>No fault is injected here, so an {@link io.tidemark.objects.OutcomeUnknownException} is a
 * failure wherever it occurs.
 */
public abstract class NameServiceContract
    implements RecordContract,
        HeadContract,
        IndexContract,
        StatusContract,
        LockContract,
        ConfigContract,
        RetractContract,
        BranchContract,
        GraphSourceContract,
        ListingContract,
        AddressContract,
        PayloadContract,
        NameBackendContract,
        WatchContract,
        NameRaceContract,
        ReaderRaceContract,
        BranchRaceContract,
        EditRaceContract {

  private NamesFixture fixture;

  /**
   * Opens the place of this test, which is empty when the test begins. Called several times in one
   * test, always for the same place, for instances that work side by side; each is closed when the
   * test ends.
   */
  protected abstract NameBackend open();

  /** How much to do. */
  protected NamesScale scale() {
    return NamesScale.standard();
  }

  @BeforeEach
  final void openNames() {
    fixture = new NamesFixture(this::open, scale());
  }

  @AfterEach
  final void closeNames() throws Exception {
    fixture.close();
  }

  @Override
  public final NamesFixture fixture() {
    return fixture;
  }
}
