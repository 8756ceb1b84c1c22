// SPDX-License-Identifier: Apache-2.0
/** Tests of the lease that need the test kit. */
@NullMarked
package io.tidemark.objects.lease;

import org.jspecify.annotations.NullMarked;
