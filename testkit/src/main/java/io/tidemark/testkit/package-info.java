// SPDX-License-Identifier: Apache-2.0
/**
 * What tests of every room share: contract suites that each backend must pass, a backend that fails
 * on demand, a counter of requests, real servers, and processes to be killed.
 *
 * <p>It is in {@code src/main} so that a backend's own test is a subclass of ten lines. Nothing
 * here is shipped.
 */
@NullMarked
package io.tidemark.testkit;

import org.jspecify.annotations.NullMarked;
