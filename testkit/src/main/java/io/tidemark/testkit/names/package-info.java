// SPDX-License-Identifier: Apache-2.0
/**
 * What tests of the nameservice share.
 *
 * <p>A backend proves itself by a subclass of {@link
 * io.tidemark.testkit.names.NameServiceContract}. {@link
 * io.tidemark.testkit.names.RandomNamesWorkload} lets threads do random things and writes down a
 * {@link io.tidemark.testkit.names.OperationHistory}, which {@link
 * io.tidemark.testkit.names.LinearizabilityChecker} tries to explain; {@link
 * io.tidemark.testkit.names.RemoteHistory} brings in those of other processes.
 */
@NullMarked
package io.tidemark.testkit.names;

import org.jspecify.annotations.NullMarked;
