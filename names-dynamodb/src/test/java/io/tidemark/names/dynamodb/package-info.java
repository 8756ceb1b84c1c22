// SPDX-License-Identifier: Apache-2.0
/** Tests of the nameservice on DynamoDB, against DynamoDB Local. */
@NullMarked
package io.tidemark.names.dynamodb;

import org.jspecify.annotations.NullMarked;
