// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

/**
 * The part of {@link NameServiceContract} that depends on the store most: what a backend
 * guarantees, and races. For another layout on a slow server, when the rest is run elsewhere.
 */
public abstract class NameStoreContract extends NamesContract
    implements NameBackendContract,
        NameRaceContract,
        ReaderRaceContract,
        BranchRaceContract,
        EditRaceContract {}
