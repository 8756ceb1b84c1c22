// SPDX-License-Identifier: Apache-2.0
/** Tests of the directory store that need the test kit. */
@NullMarked
package io.tidemark.objects.directory;

import org.jspecify.annotations.NullMarked;
