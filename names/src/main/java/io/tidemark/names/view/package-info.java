// SPDX-License-Identifier: Apache-2.0
/**
 * Names as JSON, in one form for the command, the server, and the client that reads them back.
 * Start from {@link io.tidemark.names.view.RecordJson}.
 */
@NullMarked
package io.tidemark.names.view;

import org.jspecify.annotations.NullMarked;
