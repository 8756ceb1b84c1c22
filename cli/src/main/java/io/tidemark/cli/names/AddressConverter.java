// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import io.tidemark.names.Address;
import io.tidemark.names.InvalidAddressException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converter of addresses; an invalid one is misuse of the command. */
public final class AddressConverter implements ITypeConverter<Address> {
  @Override
  public Address convert(String text) {
    try {
      return Address.parse(text);
    } catch (InvalidAddressException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
