// SPDX-License-Identifier: Apache-2.0
/**
 * A collection as a file, all of it as it was at one moment. Start with {@link
 * io.tidemark.features.bulk.output.CollectionExport}.
 */
@NullMarked
package io.tidemark.features.bulk.output;

import org.jspecify.annotations.NullMarked;
