// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.ObjectBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What every store must do: a test for each numbered guarantee of {@link ObjectBackend} and of
 * {@link io.tidemark.objects.ObjectStore}, by topic in the interfaces it is made of. What a store
 * does when answers get lost is tested with {@link FaultyBackend}; a store that other processes can
 * reach extends {@link SharedObjectStoreContract}.
 *
 * <p>A subclass says how to open the store:
 *
 * <pre>{@code
 * class MemoryStoreTest extends ObjectStoreContract {
 *   private final MemoryBackend place = new MemoryBackend();
 *
 *   @Override
 *   protected ObjectBackend open() {
 *     return place;
 *   }
 * }
 * }</pre>
 *
 * <p>No fault is injected here, so an {@link io.tidemark.objects.OutcomeUnknownException} is a
 * failure wherever it occurs.
 */
public abstract class ObjectStoreContract
    implements ReadContract,
        WriteContract,
        BodyContract,
        DeleteContract,
        ListContract,
        KeyContract,
        ModelContract,
        RaceContract,
        LeaseContract {

  private StoreFixture fixture;

  /**
   * Opens the place of this test, which is empty when the test begins. Called several times in one
   * test, always for the same place, for instances that work side by side; each is closed when the
   * test ends.
   */
  protected abstract ObjectBackend open();

  /** How much to do. */
  protected ContractScale scale() {
    return ContractScale.standard();
  }

  /** What the place can't do. */
  protected StoreLimits limits() {
    return StoreLimits.none();
  }

  @BeforeEach
  final void openStore() {
    fixture = new StoreFixture(this::open, scale(), limits());
  }

  @AfterEach
  final void closeStore() {
    fixture.close();
  }

  @Override
  public final StoreFixture fixture() {
    return fixture;
  }
}
