// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the nameservice on object stores that need the test kit, and so can't live in the room
 * they test.
 */
@NullMarked
package io.tidemark.names.objects;

import org.jspecify.annotations.NullMarked;
