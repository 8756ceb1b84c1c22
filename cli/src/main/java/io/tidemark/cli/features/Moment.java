// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.features.InvalidRequestException;
import io.tidemark.features.view.Past;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Which past is meant, as it was said.
 *
 * @param text a transaction with all before it, or a time
 * @param past what that is
 */
record Moment(String text, Past past) {

  /** Reads one from the command line. */
  static final class Converter implements ITypeConverter<Moment> {

    @Override
    public Moment convert(String text) {
      try {
        return new Moment(text, Past.parse(text));
      } catch (InvalidRequestException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
