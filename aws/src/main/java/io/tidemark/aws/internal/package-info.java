// SPDX-License-Identifier: Apache-2.0
/**
 * Clients of AWS services, for the rooms that build on one: {@link
 * io.tidemark.aws.internal.AwsClients} sends each request once, {@link
 * io.tidemark.aws.internal.AwsFailures} says what a request without an answer means. What an answer
 * means depends on the service and stays in its room.
 */
@NullMarked
package io.tidemark.aws.internal;

import org.jspecify.annotations.NullMarked;
