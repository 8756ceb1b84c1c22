// SPDX-License-Identifier: Apache-2.0
/**
 * The nameservice on DynamoDB: a table in which each concern of a record is an item of its own, so
 * that a transactor and an indexer never wait for each other.
 *
 * <p>Start with {@link io.tidemark.names.dynamodb.DynamoDbNameBackend}, which says how records are
 * kept, and {@link io.tidemark.names.dynamodb.DynamoDbSettings}, which says where.
 */
@NullMarked
package io.tidemark.names.dynamodb;

import org.jspecify.annotations.NullMarked;
