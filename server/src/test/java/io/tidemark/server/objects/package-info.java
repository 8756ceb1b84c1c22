// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tidemark.server.objects;

import org.jspecify.annotations.NullMarked;
