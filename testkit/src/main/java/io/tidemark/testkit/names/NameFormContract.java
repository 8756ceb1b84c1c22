// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

/**
 * The part of {@link NameServiceContract} that depends most on how records are written down. For
 * another form on a slow server, when the rest is run there in the usual one.
 */
public abstract class NameFormContract extends NamesContract
    implements RecordContract,
        HeadContract,
        IndexContract,
        StatusContract,
        ConfigContract,
        RetractContract,
        GraphSourceContract,
        PayloadContract,
        NameBackendContract {}
