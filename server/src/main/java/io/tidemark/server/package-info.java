// SPDX-License-Identifier: Apache-2.0
/**
 * Server of names, ledgers, events and features over HTTP.
 *
 * <p>Start with {@link io.tidemark.server.TidemarkServer}, which is started with {@link
 * io.tidemark.server.ServerSettings} on {@link io.tidemark.server.resources.ServerResources}. The
 * infrastructure of all requests is in {@code http}, and access control in {@code access}; every
 * other package has the routes of one resource. The API is described in {@code openapi.yaml}, and a
 * test checks the routes against it.
 */
@NullMarked
package io.tidemark.server;

import org.jspecify.annotations.NullMarked;
