// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

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
public abstract class NameServiceContract extends NamesContract
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
        EditRaceContract {}
