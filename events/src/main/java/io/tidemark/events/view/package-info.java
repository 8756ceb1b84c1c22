// SPDX-License-Identifier: Apache-2.0
/** Events and what becomes of them as JSON, for the command and for the server alike. */
@NullMarked
package io.tidemark.events.view;

import org.jspecify.annotations.NullMarked;
