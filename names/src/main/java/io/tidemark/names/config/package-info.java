// SPDX-License-Identifier: Apache-2.0
/**
 * The connection document: a JSON-LD file that says where commits, indices and names are kept, as
 * other programs of this family read it too.
 *
 * <p>Start with {@link io.tidemark.names.config.ConnectionConfig}. It turns a document into
 * locations, which the registered providers open; so nothing here knows S3 or DynamoDB.
 */
@NullMarked
package io.tidemark.names.config;

import org.jspecify.annotations.NullMarked;
