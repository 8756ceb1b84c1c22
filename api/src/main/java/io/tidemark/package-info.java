// SPDX-License-Identifier: Apache-2.0
/**
 * The front door of Tidemark for Java: {@link io.tidemark.Tidemark#open} opens a directory, a
 * bucket, a table or a server behind one interface. Requests and results of its services are in
 * {@link io.tidemark.api} and the packages below it.
 */
@NullMarked
package io.tidemark;

import org.jspecify.annotations.NullMarked;
