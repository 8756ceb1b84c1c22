// SPDX-License-Identifier: Apache-2.0
/**
 * Model of a query, apart from how it is answered.
 *
 * <p>Start with {@link io.tidemark.ledger.query.model.Fields}, from which conditions are made, and
 * {@link io.tidemark.ledger.query.model.Filter}, the tree that they form. A {@link
 * io.tidemark.ledger.query.model.Query} is a filter on a type, with the moment it is asked about,
 * its order and its page. Nothing here knows a schema or reads anything.
 */
@NullMarked
package io.tidemark.ledger.query.model;

import org.jspecify.annotations.NullMarked;
