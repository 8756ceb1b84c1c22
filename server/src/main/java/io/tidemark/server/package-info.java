// SPDX-License-Identifier: Apache-2.0
/**
 * Names, ledgers, events and features over HTTP.
 *
 * <p>Start with {@link io.tidemark.server.TidemarkServer}, which is started with {@link
 * io.tidemark.server.ServerSettings} on {@link io.tidemark.server.resources.ServerResources}. What
 * is common to all requests is in {@code http}, who may do what in {@code access}; every other
 * package has the routes of one resource. The API is described in {@code openapi.yaml}, and a test
 * holds the routes to it.
 */
@NullMarked
package io.tidemark.server;

import org.jspecify.annotations.NullMarked;
