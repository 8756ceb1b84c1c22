// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api;

import java.util.Optional;

/**
 * Progress of long work, such as 3,000 of 10,000 rows.
 *
 * @param subject part that is worked on, such as a type; empty for the work as a whole
 * @param done units that are done
 * @param total units there are, if that is known
 */
public record Progress(String subject, long done, Optional<Long> total) {}
