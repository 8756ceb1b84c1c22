// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the object store that need the test kit, and so can't live in the room they test. They
 * are in its package because some of what they test is not public.
 */
@NullMarked
package io.tidemark.objects;

import org.jspecify.annotations.NullMarked;
