// SPDX-License-Identifier: Apache-2.0
/**
 * Files of the user that rooms write; start from {@link
 * io.tidemark.objects.internal.files.NewFile}.
 */
@NullMarked
package io.tidemark.objects.internal.files;

import org.jspecify.annotations.NullMarked;
