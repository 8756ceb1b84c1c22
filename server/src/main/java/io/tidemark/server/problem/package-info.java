// SPDX-License-Identifier: Apache-2.0
/**
 * Failures of requests as RFC 9457 describes them: {@link io.tidemark.server.problem.Problem} and
 * the exception that carries one, without the secrets that {@link
 * io.tidemark.server.problem.Redaction} finds.
 */
@NullMarked
package io.tidemark.server.problem;

import org.jspecify.annotations.NullMarked;
