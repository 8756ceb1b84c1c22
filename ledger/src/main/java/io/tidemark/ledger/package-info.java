// SPDX-License-Identifier: Apache-2.0
/** Typed entities and relations in commits that never change, on any object store. */
@NullMarked
package io.tidemark.ledger;

import org.jspecify.annotations.NullMarked;
