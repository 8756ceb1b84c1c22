// SPDX-License-Identifier: Apache-2.0
/**
 * Shows the backend against a real S3 server, with faults on the wire, and against canned answers
 * where that server can't give them.
 */
@NullMarked
package io.tidemark.objects.s3;

import org.jspecify.annotations.NullMarked;
