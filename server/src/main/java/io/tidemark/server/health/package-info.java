// SPDX-License-Identifier: Apache-2.0
/** Routes of health and capabilities, for operators and clients. */
@NullMarked
package io.tidemark.server.health;

import org.jspecify.annotations.NullMarked;
