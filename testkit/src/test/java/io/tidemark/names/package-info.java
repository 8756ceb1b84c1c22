// SPDX-License-Identifier: Apache-2.0
/** Tests of the nameservice that need the test kit, and so can't live in the room they test. */
@NullMarked
package io.tidemark.names;

import org.jspecify.annotations.NullMarked;
