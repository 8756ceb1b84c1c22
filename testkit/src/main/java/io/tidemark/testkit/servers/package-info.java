// SPDX-License-Identifier: Apache-2.0
/**
 * Real servers for tests, each on the loopback interface and on a port of its own: {@link
 * io.tidemark.testkit.servers.S3Server}, {@link io.tidemark.testkit.servers.DynamoDbServer} and
 * {@link io.tidemark.testkit.servers.PostgresServer}.
 *
 * <p>{@link io.tidemark.testkit.servers.ServerExtension} starts the ones that tests ask for, once a
 * JVM, since starting costs more than most tests; tests keep apart by having a bucket, a table or a
 * database each. {@code start()} gives one to close oneself.
 *
 * <p>The servers' own libraries are optional dependencies of this module. A room whose tests use
 * one names it in its POM, in test scope.
 */
@NullMarked
package io.tidemark.testkit.servers;

import org.jspecify.annotations.NullMarked;
